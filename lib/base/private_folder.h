/* SPDX-License-Identifier: BSD-3-Clause */
/* Folders to which only this user can write. */
#ifndef LDPC_PRIVATE_FOLDER_H
#define LDPC_PRIVATE_FOLDER_H

#include "base/status_internal.h"

#include <stdio.h>

/* Opens a folder. The owner must be the user or root, and only the owner may write. Returns a file
 * descriptor, or -1 and an error message. */
int ldpc_private_folder_open(const char *path, ldpc_error *err);

/* Like ldpc_private_folder_open(), but creates a missing folder with mode 700. */
int ldpc_private_folder_make(const char *path, ldpc_error *err);

/* Opens a regular file for reading. Checks owner and permissions like ldpc_private_folder_open(), and refuses
 * symbolic links. Returns NULL if there is no such file. */
FILE *ldpc_private_file_open(int folder, const char *name);

/* Creates a file with mode 600. Returns NULL if it exists or cannot be created. */
FILE *ldpc_private_file_make(int folder, const char *name);

#endif
