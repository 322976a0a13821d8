/** Where tests keep their files, and the databases that they keep there. */
package io.tokenvault.server.place;
