/**
 * What a diagram shows of a run: conditions of nodes, message arrows, cuts, overlaps. Every drawing derives from this
 * one model.
 */
@NullMarked
package habemus.lab.diagram.model;

import org.jspecify.annotations.NullMarked;
