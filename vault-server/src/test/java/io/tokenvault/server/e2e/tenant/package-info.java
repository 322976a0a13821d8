/** Tenants see nothing of each other. */
package io.tokenvault.server.e2e.tenant;
