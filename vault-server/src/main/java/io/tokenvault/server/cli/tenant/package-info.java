/**
 * Commands that manage tenants and their egress policies. They work on the database, so that they
 * can be used with or without a running server.
 */
package io.tokenvault.server.cli.tenant;
