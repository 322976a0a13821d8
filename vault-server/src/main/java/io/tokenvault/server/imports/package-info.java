/** Files of tokens that come from elsewhere. */
package io.tokenvault.server.imports;
