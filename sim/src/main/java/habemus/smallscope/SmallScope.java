package habemus.smallscope;

import habemus.check.model.CheckReport;
import habemus.check.model.Scope;
import habemus.protocol.Protocol;
import habemus.world.Property;
import java.util.List;

/** A small world for the model checker, and the algorithm that is checked in it. Its text is unique. */
public interface SmallScope {

    /** The algorithm with its parameters in this world. */
    Protocol<?, ?> protocol();

    Scope scope();

    /** The properties that the algorithm guarantees in this world. */
    List<Property> properties();

    /** Checks whether this protocol, such as a mutant of the algorithm, violates a property in this world. */
    CheckReport check(Protocol<?, ?> protocol, Property... properties);
}
