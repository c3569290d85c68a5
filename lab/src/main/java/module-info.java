/** The laboratory: traces, diagrams, comparisons, the survival matrix, mutation testing. */
module habemus.lab {
    requires transitive habemus.sim;
    requires transitive com.google.gson;
    requires org.apache.commons.numbers.combinatorics;
    requires transitive org.apache.commons.statistics.distribution;
    requires org.apache.commons.statistics.interval;
    requires java.compiler;
    requires jdk.compiler;
    requires java.management;
    requires jdk.management;
    requires org.jgrapht.core;
    requires static org.jspecify;

    exports habemus.lab.advice;
    exports habemus.lab.benchmark;
    exports habemus.lab.check;
    exports habemus.lab.command;
    exports habemus.lab.compare;
    exports habemus.lab.experiment;
    exports habemus.lab.explain;
    exports habemus.lab.graph;
    exports habemus.lab.language;
    exports habemus.lab.matrix;
    exports habemus.lab.mutation;
    exports habemus.lab.diagram.model;
    exports habemus.lab.diagram.svg;
    exports habemus.lab.diagram.text;
    exports habemus.lab.quorum;
    exports habemus.lab.run;
    exports habemus.lab.source;
    exports habemus.lab.table;
    exports habemus.lab.timeout;
    exports habemus.lab.trace;
}
