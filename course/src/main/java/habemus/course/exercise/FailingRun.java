package habemus.course.exercise;

import habemus.lab.trace.Recording;

/**
 * A run in which an algorithm fails.
 *
 * @param replay the command that shows it again; empty if there is none
 */
record FailingRun(String reason, Recording run, String replay) {}
