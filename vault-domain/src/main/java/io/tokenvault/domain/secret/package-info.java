/**
 * Values that must not be disclosed by accident, and the formats of keys. {@code SensitiveValue}
 * prints as {@code [redacted]} and is opened by few classes, which an architecture rule lists.
 */
package io.tokenvault.domain.secret;
