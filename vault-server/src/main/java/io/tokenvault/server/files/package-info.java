/** Files that hold secrets. */
package io.tokenvault.server.files;
