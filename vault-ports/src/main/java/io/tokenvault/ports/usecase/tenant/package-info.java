/**
 * What the operator does to tenants from the command line. Start with {@code ManageTenants}.
 * Everything is recorded in the tenant's log as done by the system.
 */
package io.tokenvault.ports.usecase.tenant;
