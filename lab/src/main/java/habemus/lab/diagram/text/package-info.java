/** Diagrams as text for terminals and as Mermaid for documents. */
@NullMarked
package habemus.lab.diagram.text;

import org.jspecify.annotations.NullMarked;
