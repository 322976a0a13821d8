/** Commands about data keys and the master keyset. */
package io.tokenvault.server.cli.key;
