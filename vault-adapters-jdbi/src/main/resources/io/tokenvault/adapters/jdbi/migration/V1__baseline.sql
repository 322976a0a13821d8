-- The vault's tables. Every primary key starts with tenant_id and every statement of a request
-- names it, so that a tenant's rows can live together anywhere. Run and tested on PostgreSQL only;
-- what distributed engines that speak its language would need, by their documentation and untried:
--   Citus:       every table distributed by tenant_id; credential by key_hash, without its foreign
--                key (the vault deletes its rows itself).
--   YugabyteDB:  primary keys hash by their first column already; partitions, triggers and advisory
--                locks have to be checked against its version.
--   CockroachDB: instead of PARTITION BY, the partition function and the triggers: one plain table,
--                and a role that may not change it; advisory locks need a replacement.
-- On such engines a sequence may order entries of the same microsecond within one node only.
--
-- Times are the database's. clock_timestamp() and not now(): who waited for a lock is later than
-- the one it waited for.

CREATE TABLE tenant (
  tenant_id  uuid PRIMARY KEY,
  name       text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE tenant_key (
  tenant_id  uuid NOT NULL REFERENCES tenant,
  version    integer NOT NULL,
  wrapped    bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, version)
);

CREATE TABLE application (
  tenant_id           uuid NOT NULL REFERENCES tenant,
  application_id      uuid NOT NULL,
  type                text NOT NULL,
  name                text NOT NULL,
  permissions         text[] NOT NULL,
  rules               jsonb NOT NULL,
  can_create_expiring boolean,
  expires_at          timestamptz,
  delegated_by        uuid,
  created_by          uuid,
  created_at          timestamptz NOT NULL DEFAULT clock_timestamp(),
  modified_by         uuid,
  modified_at         timestamptz,
  version             bigint NOT NULL DEFAULT 1,
  PRIMARY KEY (tenant_id, application_id)
);
CREATE INDEX application_newest ON application (tenant_id, created_at DESC, application_id);
CREATE INDEX application_expiry ON application (expires_at) WHERE expires_at IS NOT NULL;

-- The one table that is not led by tenant_id: a key has to be found before its tenant is known.
CREATE TABLE credential (
  key_hash     bytea PRIMARY KEY,
  hash_version integer NOT NULL,
  kind         text NOT NULL CHECK (kind IN ('api', 'proxy')),
  tenant_id    uuid NOT NULL REFERENCES tenant,
  owner_id     uuid NOT NULL
);
CREATE INDEX credential_owner ON credential (tenant_id, owner_id);

CREATE TABLE proxy (
  tenant_id                 uuid NOT NULL REFERENCES tenant,
  proxy_id                  uuid NOT NULL,
  name                      text NOT NULL,
  -- The name without the difference of upper and lower case, whatever the database's locale.
  folded_name               text NOT NULL,
  destination_url           text NOT NULL,
  require_auth              boolean NOT NULL,
  application_id            uuid,
  key                       bytea NOT NULL,
  key_version               integer NOT NULL,
  configuration             bytea NOT NULL,
  configuration_key_version integer NOT NULL,
  created_by                uuid,
  created_at                timestamptz NOT NULL DEFAULT clock_timestamp(),
  modified_by               uuid,
  modified_at               timestamptz,
  version                   bigint NOT NULL DEFAULT 1,
  PRIMARY KEY (tenant_id, proxy_id),
  FOREIGN KEY (tenant_id, application_id) REFERENCES application ON DELETE RESTRICT
);
CREATE INDEX proxy_newest ON proxy (tenant_id, created_at DESC, proxy_id);
CREATE INDEX proxy_application ON proxy (tenant_id, application_id)
  WHERE application_id IS NOT NULL;

-- A token's id may be used again after the token is gone, and no decision about the old token may
-- pass for one about the new: versions of tokens come from one sequence and never repeat.
CREATE SEQUENCE token_version;

CREATE TABLE token (
  tenant_id   uuid NOT NULL REFERENCES tenant,
  token_id    text COLLATE "C" NOT NULL,
  type        text NOT NULL,
  containers  text[] NOT NULL,
  metadata    jsonb NOT NULL,
  data        bytea NOT NULL,
  key_version integer NOT NULL,
  expires_at  timestamptz,
  created_by  uuid,
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  modified_by uuid,
  modified_at timestamptz,
  version     bigint NOT NULL DEFAULT nextval('token_version'),
  PRIMARY KEY (tenant_id, token_id)
);
-- Ciphertext does not compress.
ALTER TABLE token ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE INDEX token_newest ON token (tenant_id, created_at DESC, token_id);
CREATE INDEX token_expiry ON token (expires_at) WHERE expires_at IS NOT NULL;

-- The log. No foreign key: it outlives what it speaks of, tenants included.
CREATE SEQUENCE audit_entry_sequence;

CREATE TABLE audit_entry (
  tenant_id   uuid NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  sequence    bigint NOT NULL DEFAULT nextval('audit_entry_sequence'),
  actor_id    uuid,
  actor_type  text,
  entity_type text NOT NULL,
  entity_id   text NOT NULL,
  operation   text NOT NULL,
  message     text NOT NULL,
  PRIMARY KEY (tenant_id, created_at, sequence)
) PARTITION BY RANGE (created_at);
-- The primary key, read backwards, serves lists without a filter and by date.
CREATE INDEX audit_entry_by_type ON audit_entry (tenant_id, entity_type, created_at, sequence);
CREATE INDEX audit_entry_by_entity ON audit_entry (tenant_id, entity_id, created_at, sequence);

-- An entry never fails for want of a partition.
CREATE TABLE audit_entry_default PARTITION OF audit_entry DEFAULT;

CREATE FUNCTION refuse_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER audit_entry_is_final BEFORE UPDATE OR DELETE ON audit_entry
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
-- Row triggers come to partitions by themselves, those of TRUNCATE do not.
CREATE TRIGGER audit_entry_stays BEFORE TRUNCATE ON audit_entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_entry_stays BEFORE TRUNCATE ON audit_entry_default
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Makes the log's partitions of this month (UTC) and the next ones. Called by the runtime role,
-- which may not make tables itself. A table is made first and attached then, since that does not
-- block the log's readers and writers; where the attachment has to wait, it is left for the next
-- call, and the default partition takes the entries. Names are qualified and the search path is
-- fixed, because the function runs with the rights of the owner.
CREATE FUNCTION ensure_audit_partitions(months_ahead integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '2s'
AS $$
DECLARE
  first_month timestamp := date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC');
  month timestamp;
  partition text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('token-vault partitions'));
  FOR i IN 0 .. least(months_ahead, 24) LOOP
    month := first_month + make_interval(months => i);
    partition := 'audit_entry_' || to_char(month, 'YYYY_MM');
    CONTINUE WHEN to_regclass(format('%I.%I', '${flyway:defaultSchema}', partition)) IS NOT NULL;
    BEGIN
      EXECUTE format(
        'CREATE TABLE %1$I.%2$I (LIKE %1$I.audit_entry INCLUDING DEFAULTS INCLUDING CONSTRAINTS)',
        '${flyway:defaultSchema}', partition);
      EXECUTE format(
        'ALTER TABLE %1$I.audit_entry ATTACH PARTITION %1$I.%2$I FOR VALUES FROM (%3$L) TO (%4$L)',
        '${flyway:defaultSchema}', partition,
        month AT TIME ZONE 'UTC', (month + interval '1 month') AT TIME ZONE 'UTC');
      EXECUTE format(
        'CREATE TRIGGER audit_entry_stays BEFORE TRUNCATE ON %1$I.%2$I'
          || ' FOR EACH STATEMENT EXECUTE FUNCTION %1$I.refuse_change()',
        '${flyway:defaultSchema}', partition);
    EXCEPTION
      WHEN lock_not_available OR check_violation THEN
        -- Busy, or the default partition holds entries of that month already.
        NULL;
    END;
  END LOOP;
END
$$;
REVOKE ALL ON FUNCTION ensure_audit_partitions(integer) FROM PUBLIC;

-- Gives the role that serves requests what it needs and no more: of the log, to read and to add.
CREATE FUNCTION grant_runtime(runtime name) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT SELECT, INSERT, UPDATE, DELETE ON'
      || ' %1$I.tenant, %1$I.tenant_key, %1$I.application, %1$I.credential, %1$I.proxy, %1$I.token'
      || ' TO %2$I',
    '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT SELECT, INSERT ON %1$I.audit_entry TO %2$I', '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT USAGE ON SEQUENCE %1$I.token_version, %1$I.audit_entry_sequence TO %2$I',
    '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT SELECT ON %1$I.flyway_schema_history TO %2$I', '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT EXECUTE ON FUNCTION %1$I.ensure_audit_partitions(integer) TO %2$I',
    '${flyway:defaultSchema}', runtime);
END
$$;
REVOKE ALL ON FUNCTION grant_runtime(name) FROM PUBLIC;
