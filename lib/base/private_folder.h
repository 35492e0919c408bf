/* SPDX-License-Identifier: BSD-3-Clause */
/* Folders that only this user can write to: what is read from them can be trusted. */
#ifndef LDPC_PRIVATE_FOLDER_H
#define LDPC_PRIVATE_FOLDER_H

#include "base/status_internal.h"

#include <stdio.h>

/* Opens a folder. Like ssh with its files, refuses one that others can write to: its owner has to be this
 * user (or root), and neither group nor others may have the right to write. Returns a descriptor, or -1 and a
 * sentence. */
int ldpc_private_folder_open(const char *path, ldpc_error *err);

/* The same; makes the folder, for this user alone, if it is not there. */
int ldpc_private_folder_make(const char *path, ldpc_error *err);

/* Opens a file of such a folder for reading. Only a regular file that fulfils the same condition: a link is
 * not followed, and a pipe does not block. NULL if there is none. */
FILE *ldpc_private_file_open(int folder, const char *name);

/* Makes a file that was not there, for this user alone. NULL if that fails. */
FILE *ldpc_private_file_make(int folder, const char *name);

#endif
