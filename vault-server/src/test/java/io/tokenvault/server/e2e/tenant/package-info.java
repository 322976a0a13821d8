/** The isolation of tenants from each other. */
package io.tokenvault.server.e2e.tenant;
