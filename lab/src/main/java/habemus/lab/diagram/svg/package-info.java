/** Diagrams and charts as SVG. */
@NullMarked
package habemus.lab.diagram.svg;

import org.jspecify.annotations.NullMarked;
