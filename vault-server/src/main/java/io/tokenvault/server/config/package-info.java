/**
 * Settings: every value, its source and its validation. Start with {@code Setting} for the names
 * and {@code Configuration} for the result. All errors are reported together, and no secret value
 * is repeated.
 */
package io.tokenvault.server.config;
