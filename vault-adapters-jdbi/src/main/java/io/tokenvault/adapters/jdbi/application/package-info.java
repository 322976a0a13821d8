/** Applications and the hashes of their keys. Start with {@code JdbiApplications}. */
package io.tokenvault.adapters.jdbi.application;
