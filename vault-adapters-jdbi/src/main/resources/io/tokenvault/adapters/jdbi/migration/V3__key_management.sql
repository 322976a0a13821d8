-- What all nodes have to agree on about the master keyset, and what re-encryption looks for.

CREATE TABLE key_proof (
  purpose   text NOT NULL CHECK (purpose IN ('wrapping', 'key_hash')),
  key_id    integer NOT NULL,
  proof     bytea NOT NULL,
  proven_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (purpose, key_id)
);

CREATE TABLE node_keyset (
  node_id  uuid PRIMARY KEY,
  wrapping integer[] NOT NULL,
  key_hash integer[] NOT NULL,
  seen_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE INDEX token_key_version ON token (tenant_id, key_version);
CREATE INDEX token_expressions_key_version ON token (tenant_id, expressions_key_version)
  WHERE expressions IS NOT NULL;
CREATE INDEX token_short_lived_key_version ON token (tenant_id, short_lived_key_version)
  WHERE short_lived IS NOT NULL;
-- Which hashing keys are in use.
CREATE INDEX credential_hash_version ON credential (hash_version);

-- The same as before, with the new tables. Who may execute it stays as it is.
CREATE OR REPLACE FUNCTION grant_runtime(runtime name) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT SELECT, INSERT, UPDATE, DELETE ON'
      || ' %1$I.tenant, %1$I.tenant_key, %1$I.application, %1$I.credential, %1$I.proxy, %1$I.token,'
      || ' %1$I.key_proof, %1$I.node_keyset TO %2$I',
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
