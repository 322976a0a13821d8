/** Rate limits of one node, in bounded memory. Start with {@code NodeLimits}. */
package io.tokenvault.server.limits;
