-- What the role that serves requests adds to the log can be read, and cannot keep others from
-- being sealed. Nodes of the version before insert the columns that are granted here, and values
-- that pass.

-- NOT VALID: new rows are checked from now on, and no row is read while the log is locked. The
-- partitions have the checks too, and those that are made later get them from the log.
ALTER TABLE audit_entry ADD CONSTRAINT audit_entry_usual_time CHECK (
  created_at >= '1970-01-01 00:00+00' AND created_at < '10000-01-01 00:00+00') NOT VALID;

ALTER TABLE audit_seal
  ADD CONSTRAINT audit_seal_usual_times CHECK (
    '1970-01-01 00:00+00' <= ALL (times) AND '10000-01-01 00:00+00' > ALL (times)
    AND sealed_at >= '1970-01-01 00:00+00' AND sealed_at < '10000-01-01 00:00+00') NOT VALID,
  ADD CONSTRAINT audit_seal_names_all CHECK (
    array_lower(times, 1) = 1 AND array_lower(sequences, 1) = 1
    AND array_position(times, NULL::timestamptz) IS NULL
    AND array_position(sequences, NULL::bigint) IS NULL) NOT VALID,
  ADD CONSTRAINT audit_seal_head CHECK (octet_length(head) = 32) NOT VALID;

ALTER TABLE audit_sealer ADD CONSTRAINT audit_sealer_usual_time CHECK (
  sealed_at >= '1970-01-01 00:00+00' AND sealed_at < '10000-01-01 00:00+00') NOT VALID;

-- No seal uses up the numbers of a chain. Whoever owns the table is not held up by this: rows that
-- a dump brings back come in any order.
CREATE FUNCTION refuse_gap() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF NOT pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE')
    AND NEW.number <> 1 + coalesce(
      (SELECT max(number) FROM ${flyway:defaultSchema}.audit_seal
       WHERE tenant_id = NEW.tenant_id), 0)
  THEN
    RAISE EXCEPTION 'a seal follows the one before it' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER audit_seal_follows BEFORE INSERT ON audit_seal
  FOR EACH ROW EXECUTE FUNCTION refuse_gap();

-- As in V7, but for the months that the log can have.
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
    FROM ${flyway:defaultSchema}.audit_entry_default
    WHERE created_at >= '1970-01-01 00:00+00' AND created_at < '10000-01-01 00:00+00')
    AS wanted (each);
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

-- The same as before, without what only the database gives: an entry's sequence and transaction, a
-- seal's position. Who may execute it stays as it is.
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
  -- An owner that serves requests itself keeps what it has as the owner.
  IF NOT pg_has_role(runtime, current_user, 'USAGE') THEN
    EXECUTE format(
      'REVOKE ALL ON %1$I.audit_entry, %1$I.audit_seal, %1$I.audit_drop FROM %2$I',
      '${flyway:defaultSchema}', runtime);
  END IF;
  EXECUTE format(
    'GRANT SELECT, INSERT (tenant_id, created_at, actor_id, actor_type, entity_type, entity_id,'
      || ' operation, message, entry_id, mac, mac_key) ON %1$I.audit_entry TO %2$I',
    '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT SELECT, INSERT (tenant_id, number, times, sequences, head, mac, mac_key, sealed_at)'
      || ' ON %1$I.audit_seal TO %2$I',
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
