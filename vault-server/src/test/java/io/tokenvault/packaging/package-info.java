/** Tests of the files that deploy the program. */
package io.tokenvault.packaging;
