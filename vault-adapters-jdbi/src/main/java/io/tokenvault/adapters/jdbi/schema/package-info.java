/**
 * The schema and its versions. {@code Migrations} applies the scripts of {@code db/migration}; a
 * script that was released never changes. {@code DatabaseContact} checks at the start that the
 * database is one to work on.
 */
package io.tokenvault.adapters.jdbi.schema;
