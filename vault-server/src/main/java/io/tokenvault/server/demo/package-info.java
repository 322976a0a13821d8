/**
 * The guided tour of the {@code demo} command. Start with {@code DemoTour}. It uses the real
 * server, a real destination and real TLS.
 */
package io.tokenvault.server.demo;
