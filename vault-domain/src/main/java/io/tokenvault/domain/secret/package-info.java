/** Values that must not be seen by accident, and the formats of keys. */
package io.tokenvault.domain.secret;
