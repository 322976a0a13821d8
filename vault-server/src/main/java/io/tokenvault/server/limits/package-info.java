/**
 * Rate limits of one node, in bounded memory. Start with {@code NodeRateLimits}, which implements
 * the port with a token bucket for each subject. Nodes do not share their counts.
 */
package io.tokenvault.server.limits;
