/**
 * Files that hold secrets, and standard output. Start with {@code OwnerOnlyFile}, which only its
 * owner can read from its creation on.
 */
package io.tokenvault.server.files;
