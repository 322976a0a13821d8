/**
 * Settings: every value, its source and its check. Start with {@code Setting}. All errors are
 * reported together, and no secret value is repeated.
 */
package io.tokenvault.server.config;
