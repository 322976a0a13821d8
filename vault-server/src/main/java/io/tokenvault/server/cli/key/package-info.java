/**
 * Commands on the keys of tenants and on the master keyset. {@code MasterKeyCommand} has the steps
 * of a rotation of the master key.
 */
package io.tokenvault.server.cli.key;
