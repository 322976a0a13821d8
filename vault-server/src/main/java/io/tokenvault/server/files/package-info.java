/**
 * Files that hold secrets. {@code OwnerOnlyFile} is readable by its owner from its first moment on.
 */
package io.tokenvault.server.files;
