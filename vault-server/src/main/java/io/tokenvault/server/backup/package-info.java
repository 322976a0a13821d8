/** Files that hold a whole database. */
package io.tokenvault.server.backup;
