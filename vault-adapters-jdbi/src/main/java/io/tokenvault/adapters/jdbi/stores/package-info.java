/**
 * Types that stores of a database exchange with those who open, measure, back up and restore it.
 */
package io.tokenvault.adapters.jdbi.stores;
