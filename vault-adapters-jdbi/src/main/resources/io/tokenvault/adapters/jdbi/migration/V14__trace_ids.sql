-- The trace id of the request that an entry records. Its MAC covers it.
ALTER TABLE audit_entry ADD COLUMN trace_id text;

-- The same as before, with the new column. Who may execute it stays as it is.
CREATE OR REPLACE FUNCTION grant_runtime(runtime name) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT SELECT, INSERT, UPDATE, DELETE ON'
      || ' %1$I.tenant, %1$I.tenant_key, %1$I.application, %1$I.credential, %1$I.proxy, %1$I.token,'
      || ' %1$I.key_proof, %1$I.node_keyset, %1$I.container_binding, %1$I.keyed_request,'
      || ' %1$I.compiled_module TO %2$I',
    '${flyway:defaultSchema}', runtime);
  -- An owner that serves requests itself keeps what it has as the owner.
  IF NOT pg_has_role(runtime, current_user, 'USAGE') THEN
    EXECUTE format(
      'REVOKE ALL ON %1$I.audit_entry, %1$I.audit_seal, %1$I.audit_drop FROM %2$I',
      '${flyway:defaultSchema}', runtime);
  END IF;
  EXECUTE format(
    'GRANT SELECT, INSERT (tenant_id, created_at, actor_id, actor_type, entity_type, entity_id,'
      || ' operation, message, entry_id, mac, mac_key, trace_id) ON %1$I.audit_entry TO %2$I',
    '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT SELECT, INSERT (tenant_id, number, times, sequences, head, mac, mac_key, sealed_at)'
      || ' ON %1$I.audit_seal TO %2$I',
    '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT SELECT ON %1$I.audit_drop, %1$I.vault_schema_history TO %2$I',
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
