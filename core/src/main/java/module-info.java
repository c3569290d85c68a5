/** The pure part: contract, algorithms, worlds. It requires nothing. */
module habemus.core {
    requires static transitive org.jspecify;

    exports habemus.archive;
    exports habemus.catalogue;
    exports habemus.check;
    exports habemus.detector;
    exports habemus.drive;
    exports habemus.election;
    exports habemus.fenced;
    exports habemus.measure;
    exports habemus.mutex;
    exports habemus.protocol;
    exports habemus.simulate;
    exports habemus.small;
    exports habemus.wire;
    exports habemus.world;
}
