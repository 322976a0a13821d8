/** What the vault has to store in, whether that is one database or several. */
package io.tokenvault.adapters.jdbi.stores;
