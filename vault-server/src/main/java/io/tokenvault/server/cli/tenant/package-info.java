/** Commands about tenants and their egress policies. */
package io.tokenvault.server.cli.tenant;
