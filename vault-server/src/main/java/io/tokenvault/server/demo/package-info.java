/** A guided tour that uses the real server, a real destination and real TLS. */
package io.tokenvault.server.demo;
