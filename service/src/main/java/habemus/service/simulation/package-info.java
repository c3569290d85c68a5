/** Parts of the world in which a simulated node runs. Tests and the simulation of the whole service share them. */
@NullMarked
package habemus.service.simulation;

import org.jspecify.annotations.NullMarked;
