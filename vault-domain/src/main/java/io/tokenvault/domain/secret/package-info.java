/**
 * Values that must not be shown by accident, and the formats of keys. {@code SensitiveValue} prints
 * as asterisks and is opened by few classes, which an architecture rule lists.
 */
package io.tokenvault.domain.secret;
