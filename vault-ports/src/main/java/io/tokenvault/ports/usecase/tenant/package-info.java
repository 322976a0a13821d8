/**
 * Management of tenants from the command line. Start with {@code ManageTenants}. Every operation is
 * recorded in the tenant's log with the system as its actor.
 */
package io.tokenvault.ports.usecase.tenant;
