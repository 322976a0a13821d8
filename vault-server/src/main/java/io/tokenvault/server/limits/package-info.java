/** How many requests each may send, counted on this node with Bucket4j. */
package io.tokenvault.server.limits;
