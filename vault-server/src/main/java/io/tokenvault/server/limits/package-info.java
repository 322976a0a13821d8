/**
 * Rate limits of one node, in bounded memory. Start with {@code NodeLimits}, which implements the
 * port with one {@code TokenBucket} for each subject. Nodes do not share their counts.
 */
package io.tokenvault.server.limits;
