/** What goes into transforms and what comes out of them, in the encodings of both sides. */
package io.tokenvault.engine.transform.content;
