/**
 * The schema and its versions. {@code Migrations} applies the scripts of {@link
 * io.tokenvault.adapters.jdbi.schema.Migrations#LOCATION}; a script that was released never
 * changes. {@code DatabaseContact} checks at the start that the database can be used, and {@code
 * SchemaContract} which versions of the vault a schema serves.
 */
package io.tokenvault.adapters.jdbi.schema;
