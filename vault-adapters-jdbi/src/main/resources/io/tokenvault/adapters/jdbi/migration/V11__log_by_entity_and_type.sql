-- One index for lists of an entity's entries, of one type and of any, where there were two: an
-- entity with very many entries and none of a type is not looked through for them any more. Lists
-- of any type ask for each type that the index has of the entity.
CREATE INDEX audit_entry_of_entity ON ONLY audit_entry
  (tenant_id, entity_id, entity_type, created_at, sequence);

-- It is made where that takes a moment. A partition that is large already goes without, unless it
-- was made there before, and the earlier indexes serve it.
DO $$
DECLARE
  partition record;
  made boolean;
BEGIN
  FOR partition IN
    SELECT pg_class.oid::regclass AS name, relname || '_of_entity' AS index
    FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'audit_entry'::regclass
  LOOP
    made := (
      SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(quote_ident(partition.index)));
    CONTINUE WHEN NOT coalesce(made, pg_relation_size(partition.name) <= 64 * 1024 * 1024);
    IF made IS NULL THEN
      EXECUTE format(
        'CREATE INDEX %I ON %s (tenant_id, entity_id, entity_type, created_at, sequence)',
        partition.index, partition.name);
    END IF;
    EXECUTE format('ALTER INDEX audit_entry_of_entity ATTACH PARTITION %I', partition.index);
  END LOOP;
  -- Where there is a log, nodes of earlier versions may be at work, whose lists by entity alone need
  -- the earlier one. docs/audit.md says how to remove both.
  IF NOT EXISTS (SELECT FROM audit_entry) THEN
    DROP INDEX audit_entry_by_entity, audit_entry_lists;
  END IF;
END
$$;
