/** The permission catalogue and the application types that may hold each permission. */
package io.tokenvault.domain.permission;
