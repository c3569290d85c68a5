/**
 * A recorded run as a picture: SVG for slides and browsers, Mermaid for documents, text for terminals. What a picture
 * shows is derived once, in {@link Scene}; the pictures only say where it goes and how it looks.
 */
@NullMarked
package habemus.lab.picture;

import org.jspecify.annotations.NullMarked;
