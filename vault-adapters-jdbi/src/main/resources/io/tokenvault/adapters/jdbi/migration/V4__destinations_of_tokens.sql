-- Where a tenant's tokens may go, whatever its applications may do; what a proxy says of the
-- connection to its destination.

-- One version for the switches and the bindings together.
ALTER TABLE tenant
  ADD COLUMN egress_version bigint  NOT NULL DEFAULT 1,
  ADD COLUMN url_header     boolean NOT NULL DEFAULT true,
  ADD COLUMN unbound_by_url boolean NOT NULL DEFAULT true;

CREATE TABLE container_binding (
  tenant_id uuid NOT NULL REFERENCES tenant,
  container text COLLATE "C" NOT NULL,
  host      text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, container, host)
);

ALTER TABLE proxy
  ADD COLUMN timeout_ms         integer,
  ADD COLUMN client_certificate text;

-- The same as before, with the new table. Who may execute it stays as it is.
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
