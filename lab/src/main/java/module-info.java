/** The laboratory: what was recorded of a run, told as text, as data and as pictures. */
module habemus.lab {
    requires transitive habemus.core;
    requires transitive com.google.gson;
    requires org.apache.commons.numbers.combinatorics;
    requires transitive org.apache.commons.statistics.distribution;
    requires org.apache.commons.statistics.interval;
    requires java.compiler;
    requires java.management;
    requires jdk.management;
    requires org.jgrapht.core;
    requires static org.jspecify;

    exports habemus.lab.bench;
    exports habemus.lab.compare;
    exports habemus.lab.graph;
    exports habemus.lab.matrix;
    exports habemus.lab.museum;
    exports habemus.lab.picture;
    exports habemus.lab.quorum;
    exports habemus.lab.table;
    exports habemus.lab.timeout;
    exports habemus.lab.trace;
}
