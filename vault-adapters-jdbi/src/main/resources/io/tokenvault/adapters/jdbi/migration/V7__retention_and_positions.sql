-- The log as it grows: lists of one type quickly, partitions even where the default one was used.

-- Entries about lists and searches have '*' for their entity, whatever its type: too many to look
-- through for those of one type. The index is made where that takes a moment; a partition that is
-- large already goes without, and the indexes of V1 serve it. docs/audit.md says how to add it.
CREATE INDEX audit_entry_lists ON ONLY audit_entry (tenant_id, entity_type, created_at, sequence)
  WHERE entity_id = '*';

DO $$
DECLARE
  partition regclass;
BEGIN
  FOR partition IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'audit_entry'::regclass LOOP
    CONTINUE WHEN pg_relation_size(partition) > 64 * 1024 * 1024;
    EXECUTE format(
      'CREATE INDEX %I ON %s (tenant_id, entity_type, created_at, sequence)'
        || ' WHERE entity_id = ''*''',
      (SELECT relname FROM pg_class WHERE oid = partition) || '_lists', partition);
    EXECUTE format(
      'ALTER INDEX audit_entry_lists ATTACH PARTITION %I',
      (SELECT relname FROM pg_class WHERE oid = partition) || '_lists');
  END LOOP;
END
$$;

-- As in V1, and now also where the default partition holds entries of the month: they are moved to
-- where they belong, as they are. That happens after a time without partitions, or when the clock
-- was wrong. Who writes to the default partition waits meanwhile.
CREATE OR REPLACE FUNCTION ensure_audit_partitions(months_ahead integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '2s'
AS $$
DECLARE
  this_month timestamp := date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC');
  months timestamp[];
  month timestamp;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('token-vault partitions'));
  SELECT array_agg(each ORDER BY each) INTO months FROM (
    SELECT this_month + make_interval(months => i) FROM generate_series(0, least(months_ahead, 24)) i
    UNION
    SELECT date_trunc('month', created_at AT TIME ZONE 'UTC')
    FROM ${flyway:defaultSchema}.audit_entry_default) AS wanted (each);
  FOREACH month IN ARRAY months LOOP
    CONTINUE WHEN to_regclass(
      format('%I.%I', '${flyway:defaultSchema}', 'audit_entry_' || to_char(month, 'YYYY_MM')))
      IS NOT NULL;
    BEGIN
      PERFORM ${flyway:defaultSchema}.make_audit_partition(month);
    EXCEPTION
      WHEN lock_not_available OR deadlock_detected THEN
        -- Busy: left for the next call.
        NULL;
    END;
  END LOOP;
END
$$;

CREATE FUNCTION make_audit_partition(month timestamp) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  partition text := 'audit_entry_' || to_char(month, 'YYYY_MM');
  first_moment timestamptz := month AT TIME ZONE 'UTC';
  next_moment timestamptz := (month + interval '1 month') AT TIME ZONE 'UTC';
BEGIN
  EXECUTE format(
    'CREATE TABLE %1$I.%2$I (LIKE %1$I.audit_entry INCLUDING DEFAULTS INCLUDING CONSTRAINTS)',
    '${flyway:defaultSchema}', partition);
  -- Nothing may arrive between the look and the attachment; without any, only the attachment locks.
  IF EXISTS (
    SELECT FROM ${flyway:defaultSchema}.audit_entry_default
    WHERE created_at >= first_moment AND created_at < next_moment)
  THEN
    LOCK TABLE ${flyway:defaultSchema}.audit_entry_default IN ACCESS EXCLUSIVE MODE;
    -- Moved, not changed: what is final for everybody else is let through for this statement.
    ALTER TABLE ${flyway:defaultSchema}.audit_entry_default DISABLE TRIGGER audit_entry_is_final;
    EXECUTE format(
      'WITH moved AS ('
        || ' DELETE FROM ONLY %1$I.audit_entry_default WHERE created_at >= $1 AND created_at < $2'
        || ' RETURNING *)'
        || ' INSERT INTO %1$I.%2$I SELECT * FROM moved',
      '${flyway:defaultSchema}', partition)
      USING first_moment, next_moment;
    ALTER TABLE ${flyway:defaultSchema}.audit_entry_default ENABLE TRIGGER audit_entry_is_final;
  END IF;
  EXECUTE format(
    'ALTER TABLE %1$I.audit_entry ATTACH PARTITION %1$I.%2$I FOR VALUES FROM (%3$L) TO (%4$L)',
    '${flyway:defaultSchema}', partition, first_moment, next_moment);
  EXECUTE format(
    'CREATE TRIGGER audit_entry_stays BEFORE TRUNCATE ON %1$I.%2$I'
      || ' FOR EACH STATEMENT EXECUTE FUNCTION %1$I.refuse_change()',
    '${flyway:defaultSchema}', partition);
END
$$;
REVOKE ALL ON FUNCTION make_audit_partition(timestamp) FROM PUBLIC;

-- The order of all tenants' seals. One sealer at a time adds seals, and lets go after its commit:
-- what is seen of a position is all that will ever be there, up to it.
CREATE SEQUENCE audit_seal_position;
ALTER TABLE audit_seal ADD COLUMN position bigint NOT NULL DEFAULT nextval('audit_seal_position');
CREATE UNIQUE INDEX audit_seal_in_order ON audit_seal (position);
CREATE INDEX audit_seal_by_time ON audit_seal (sealed_at);

-- How far each stream of the log has come: the place of an entry in a seal.
CREATE TABLE audit_stream (
  stream   text PRIMARY KEY,
  position bigint NOT NULL,
  place    integer NOT NULL,
  moved_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- The same as before, with what is new. Who may execute it stays as it is.
CREATE OR REPLACE FUNCTION grant_runtime(runtime name) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT SELECT, INSERT, UPDATE, DELETE ON'
      || ' %1$I.tenant, %1$I.tenant_key, %1$I.application, %1$I.credential, %1$I.proxy, %1$I.token,'
      || ' %1$I.key_proof, %1$I.node_keyset, %1$I.container_binding TO %2$I',
    '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT SELECT, INSERT ON %1$I.audit_entry, %1$I.audit_seal TO %2$I',
    '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT SELECT ON %1$I.audit_drop, %1$I.flyway_schema_history TO %2$I',
    '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT SELECT, UPDATE ON %1$I.audit_sealer TO %2$I', '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT SELECT, INSERT, UPDATE ON %1$I.audit_stream TO %2$I',
    '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT USAGE ON SEQUENCE %1$I.token_version, %1$I.audit_entry_sequence,'
      || ' %1$I.audit_seal_position TO %2$I',
    '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT EXECUTE ON FUNCTION %1$I.ensure_audit_partitions(integer), %1$I.database_cluster(),'
      || ' %1$I.hold_audit_writers() TO %2$I',
    '${flyway:defaultSchema}', runtime);
END
$$;
