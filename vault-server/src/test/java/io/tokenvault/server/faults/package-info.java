/** Faults between the vault and its database, made on purpose. */
package io.tokenvault.server.faults;
