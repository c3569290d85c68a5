/** Worlds, properties, the catalogue, the simulator and the model checker. */
module habemus.sim {
    requires transitive habemus.algorithms;
    requires static transitive org.jspecify;

    exports habemus.catalogue;
    exports habemus.check;
    exports habemus.check.model;
    exports habemus.measure;
    exports habemus.simulate;
    exports habemus.smallscope;
    exports habemus.world;
}
